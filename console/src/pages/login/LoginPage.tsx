import { Logo } from '../../theme/Logo.tsx';
import { usePageTitle } from '../../components/use-page-title.ts';
import { Card } from '../../ui/Card.tsx';
import { LoginForm } from './LoginForm.tsx';

export function LoginPage() {
  usePageTitle('Admin Panel Login');
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-[26.5rem] flex-col items-center justify-center gap-5 px-4 py-10">
      <p className="flex items-center gap-2.5 text-lg font-semibold">
        <Logo className="size-9" />
        Meridian
      </p>
      <h1 className="text-xl lg:text-[1.375rem]">Admin Panel Login</h1>
      <Card as="div" className="w-full p-6">
        <LoginForm />
      </Card>
    </main>
  );
}
